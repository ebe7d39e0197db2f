import { prepare } from './prepare.mjs';

/** Builds the current sources, because end-to-end tests run the built service. */
export default function buildBeforeEndToEnd() {
  return prepare();
}
