import { chromiumGap, findChromium, installChromium } from './chromium.mjs';

/** Finds Chromium, or installs it, before the first test of the console. */
export default async function chromiumBeforeBrowserTests() {
  const chromium = findChromium() ?? (await installChromium());
  if (chromium === null) throw new Error(chromiumGap());
  process.env.CHROMIUM = chromium;
}
