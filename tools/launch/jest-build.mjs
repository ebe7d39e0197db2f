import { prepare } from './prepare.mjs';

/** End-to-end tests drive the built service: whoever starts them gets a build of the present sources. */
export default function buildBeforeEndToEnd() {
  return prepare();
}
