/** Runs `work` and then `cleanUp`, also when the process exits meanwhile. `cleanUp` must be synchronous. */
export async function cleaningUp(work, cleanUp) {
  process.once('exit', cleanUp);
  try {
    return await work();
  } finally {
    process.off('exit', cleanUp);
    cleanUp();
  }
}
