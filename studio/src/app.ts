// The page of `covr studio`, which a server on this machine answers.

import { start } from "./main.ts";
import { server } from "./server.ts";
import { reachBy } from "./transport.ts";

reachBy(server);
void start();
