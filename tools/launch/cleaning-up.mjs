/** Does the work and then cleans up, also when the process ends in the middle of it. `cleanUp` must not wait for anything. */
export async function cleaningUp(work, cleanUp) {
  process.once('exit', cleanUp);
  try {
    return await work();
  } finally {
    process.off('exit', cleanUp);
    cleanUp();
  }
}
