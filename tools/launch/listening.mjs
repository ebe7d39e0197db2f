const announced = /^Listening on (\S+)$/m;
const startWithinMs = 60_000;
const kept = 4_000;

/** The base URL that a service prints, without a trailing slash; rejects if it exits or prints none in time. */
export function addressOf(child) {
  return new Promise((resolve, reject) => {
    let said = '';
    const fail = (why) => reject(new Error(`The service ${why}:\n${said}`));
    const late = setTimeout(() => fail('did not start in time'), startWithinMs);
    child.once('close', (code, signal) => {
      clearTimeout(late);
      fail(`ended at its start with ${code ?? signal}`);
    });
    child.stderr?.setEncoding('utf8').on('data', (text) => (said = (said + text).slice(-kept)));
    child.stdout.setEncoding('utf8').on('data', (text) => {
      said = (said + text).slice(-kept);
      const [, url] = announced.exec(said) ?? [];
      if (url === undefined) return;
      clearTimeout(late);
      resolve(url.replace(/\/$/, ''));
    });
  });
}
