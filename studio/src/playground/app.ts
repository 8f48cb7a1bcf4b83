// The page without a server: what the studio's page is reached by workers, and all is kept for a visit without network.

import { banner, light } from "../connection.ts";
import { fill, h } from "../dom.ts";
import { start } from "../main.ts";
import { reachBy } from "../transport.ts";
import { Host } from "./host.ts";
import type { Opening } from "./opening.ts";
import { keepAll, onLoading } from "./pool.ts";
import { forgetMemory } from "./runtime.ts";

const opening = fetch("opening.json").then((response) => response.json() as Promise<Opening>);
const host = new Host(opening);
reachBy(host);
const said = h("span", { class: "faint loading", id: "loading", role: "status" });
onLoading((part) => {
  light.className = "light loading";
  said.textContent = part < 1 ? `Loading covr: ${Math.floor(part * 100)} %` : "Starting covr…";
});

async function load(): Promise<void> {
  light.after(said);
  light.title = "covr runs in this page";
  try {
    await host.ready();
    light.className = "light";
    said.textContent = "";
    document.documentElement.dataset.loaded = "yes";
    banner.hidden = true;
    await host.warm();
    await keepAll();
    if (!document.documentElement.dataset.embed) // some private windows have none
      await (navigator.serviceWorker as ServiceWorkerContainer | undefined)?.register("offline.js").catch(() => undefined);
  } catch (fault) {
    if (await forgetMemory()) return load(); // that of an earlier visit may be what is at fault
    said.textContent = "";
    light.className = "light away";
    const again = h("button", { type: "button", onclick: () => void load() }, "Try again");
    fill(banner, h("span", {}, `covr could not be loaded (${(fault as Error).message}).`), again);
    banner.hidden = false;
  }
}

host.ready().catch(() => undefined); // Python comes while the page is drawn; `load` tells how that ends
void start().then(() => document.getElementById("first")?.remove()).then(load);
