const launcher = process.ppid;

/** Loaded into a step: a launcher that is killed ends none, and its npm would go on beside the next one's. */
setInterval(() => process.ppid === launcher || process.kill(process.pid, 'SIGKILL'), 100).unref();
