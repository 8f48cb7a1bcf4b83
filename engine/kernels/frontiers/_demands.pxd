# What _demands.py takes from _kernel.h.
cdef extern from "_kernel.h":
    enum:
        ITEM "COVR_DEMAND_ITEM"
        TOTAL "COVR_DEMAND_TOTAL"
        CIRCUIT "COVR_DEMAND_CIRCUIT"
        CONNECTION "COVR_DEMAND_CONNECTION"
        FRESH "COVR_DEMAND_FRESH"
        INSIDE "COVR_DEMAND_INSIDE"
        MATE "COVR_DEMAND_MATE"
