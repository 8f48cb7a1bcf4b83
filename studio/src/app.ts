// The page of `covr studio`, which a server on this machine answers.

import { start } from "./main.ts";

void start();
