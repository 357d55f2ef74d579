import "./theme/tokens.css";
import "./theme/base.css";
import { mount } from "svelte";
import App from "./App.svelte";
import { applied, follow } from "./settings.svelte.ts";
import { unlockSounds } from "./sounds.ts";

await applied();
follow();
unlockSounds();
mount(App, { target: document.getElementById("app") as HTMLElement });

// Only where there is a secure context; over plain http nothing is lost but starting without a line.
if (import.meta.env.PROD && "serviceWorker" in navigator) void navigator.serviceWorker.register("/sw.js");
