const launcher = process.ppid;

/** Preloaded into a step: ends it when its launcher was killed, else its npm would run beside that of the next launcher. */
setInterval(() => process.ppid === launcher || process.kill(process.pid, 'SIGKILL'), 100).unref();
