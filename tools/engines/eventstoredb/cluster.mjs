import gossipService from '@eventstore/db-client/generated/gossip_grpc_pb.js';
import { clusterInfo } from './gossip.mjs';
import { Node } from './node.mjs';

/** The nodes of the double: addresses that gossip, at most one of which leads. */
export class Cluster {
  #nodes;

  /** @param services pairs of a service and its handlers */
  constructor(ports, services) {
    const gossip = { read: (_, answer) => answer(null, clusterInfo(this.#nodes)) };
    this.services = [...services, [gossipService.GossipService, gossip]];
    this.#nodes = ports.map((port) => new Node(port, this));
  }

  get leader() {
    return this.#nodes.find((node) => node.isLeader);
  }

  get url() {
    return `esdb://${this.#nodes.map(({ port }) => `127.0.0.1:${port}`).join(',')}?tls=false`;
  }

  /** Sets the states in the order of addresses. At the start the first leads. */
  async become(states = this.#nodes.map((_, index) => (index === 0 ? 'leader' : 'follower'))) {
    if (states.length !== this.#nodes.length) throw new Error(`there are ${this.#nodes.length} nodes`);
    await Promise.all(this.#nodes.map((node, index) => node.become(states[index])));
  }

  end() {
    for (const node of this.#nodes) node.end();
  }
}
