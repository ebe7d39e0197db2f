import gossip from '@eventstore/db-client/generated/gossip_pb.js';
import shared from '@eventstore/db-client/generated/shared_pb.js';
import { randomUUID } from 'node:crypto';

const { ClusterInfo, EndPoint, MemberInfo } = gossip;
const { UUID } = shared;
const TICKS_PER_MS = 10_000n;

/** States in gossip. A node that does not answer keeps its last state, marked dead. */
export const STATES = {
  leader: MemberInfo.VNodeState.LEADER,
  follower: MemberInfo.VNodeState.FOLLOWER,
  unknown: MemberInfo.VNodeState.UNKNOWN,
  'catching up': MemberInfo.VNodeState.CATCHINGUP,
};

export const newInstanceId = () => randomUUID();

export function clusterInfo(nodes) {
  return new ClusterInfo().setMembersList(nodes.map(member));
}

function member({ instanceId, port, gossipState, isAlive }) {
  const id = new UUID();
  id.setString(instanceId);
  const at = new EndPoint();
  at.setAddress('127.0.0.1');
  at.setPort(port);
  const info = new MemberInfo();
  info.setInstanceId(id);
  info.setTimeStamp(String(BigInt(Date.now()) * TICKS_PER_MS));
  info.setState(STATES[gossipState]);
  info.setIsAlive(isAlive);
  info.setHttpEndPoint(at);
  return info;
}
