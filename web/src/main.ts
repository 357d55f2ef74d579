import "./theme/tokens.css";
import "./theme/base.css";
import "./games/cloths.ts";
import { mount } from "svelte";
import App from "./App.svelte";
import { awaitOffer } from "./install.svelte.ts";
import { openOffline } from "./offline.ts";
import { applied, follow } from "./settings.svelte.ts";
import { unlockSounds } from "./sounds.ts";
import { language } from "./texts.svelte.ts";

await applied();
follow();
unlockSounds();
awaitOffer();
mount(App, { target: document.getElementById("app") as HTMLElement });

if (import.meta.env.PROD) void openOffline(language());
