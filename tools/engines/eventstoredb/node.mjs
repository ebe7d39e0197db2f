import { Server, ServerCredentials } from '@grpc/grpc-js';
import { promisify } from 'node:util';
import { FAILURES } from './failures.mjs';
import { newInstanceId, STATES } from './gossip.mjs';

/** One address of the double. Nodes of a cluster share the log. */
export class Node {
  instanceId = newInstanceId();
  /** If dead, the last one. */
  gossipState = 'follower';
  #state = 'gone';
  #server = null;
  #cluster;

  /** @param cluster its services, and the leading node, if any */
  constructor(port, cluster) {
    this.port = port;
    this.#cluster = cluster;
  }

  get isAlive() {
    return Object.hasOwn(STATES, this.#state);
  }

  get isLeader() {
    return this.#state === 'leader';
  }

  /** A gossip state, `silent` (answers nothing) or `gone` (closes and refuses connections). */
  async become(state) {
    if (state !== 'silent' && state !== 'gone' && !Object.hasOwn(STATES, state)) throw new Error(`no state is called ${state}`);
    this.#state = state;
    if (this.isAlive) this.gossipState = state;
    if (state === 'gone') this.end();
    else if (!this.#server) await this.#listen();
  }

  end() {
    this.#server?.forceShutdown();
    this.#server = null;
  }

  #listen() {
    const server = (this.#server = new Server({ 'grpc.max_receive_message_length': -1 }));
    for (const [service, handlers] of this.#cluster.services) {
      const names = Object.entries(handlers);
      server.addService(service, Object.fromEntries(names.map(([name, handler]) => [name, this.#guarded(handler)])));
    }
    return promisify(server.bindAsync.bind(server))(`127.0.0.1:${this.port}`, ServerCredentials.createInsecure());
  }

  /** A follower redirects calls that require the leader, or answers not ready without one. */
  #guarded(handler) {
    return (call, answer) => {
      if (this.#state === 'silent') return;
      const asksForLeader = call.metadata.get('requires-leader')[0] === 'true';
      if (!asksForLeader || this.isLeader) return handler(call, answer);
      const { leader } = this.#cluster;
      const failure = leader ? FAILURES.notLeader({ host: '127.0.0.1', port: leader.port }) : FAILURES.unavailable();
      if (answer) answer(failure);
      else call.emit('error', failure);
    };
  }
}
