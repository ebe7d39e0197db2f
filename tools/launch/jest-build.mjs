import { prepare } from './prepare.mjs';

/** End-to-end tests run the built service. */
export default function buildBeforeEndToEnd() {
  return prepare();
}
