/** Also cleans up when the process exits meanwhile, so `cleanUp` must be synchronous. */
export async function cleaningUp(work, cleanUp) {
  process.once('exit', cleanUp);
  try {
    return await work();
  } finally {
    process.off('exit', cleanUp);
    cleanUp();
  }
}
