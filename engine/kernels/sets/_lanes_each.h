/* Includes the file LANES_BODY once for each back end of _lanes.h. No header guard: several files use this. */
#if COVR_LANES_X86
#define LANES 512
#define LANES_TARGET LANES_TARGET_512
#include LANES_BODY
#undef LANES
#undef LANES_TARGET
#define LANES 256
#define LANES_TARGET LANES_TARGET_256
#include LANES_BODY
#undef LANES
#undef LANES_TARGET
#endif
#if COVR_LANES_128
#define LANES 128
#define LANES_TARGET LANES_TARGET_128
#include LANES_BODY
#undef LANES
#undef LANES_TARGET
#endif
#define LANES 64
#define LANES_TARGET LANES_TARGET_64
#include LANES_BODY
#undef LANES
#undef LANES_TARGET
#undef LANES_BODY
