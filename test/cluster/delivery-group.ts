import { type Admin, AssignerProtocol, Kafka, logLevel } from 'kafkajs';
import { eventually } from '../e2e/harness/eventually.js';
import type { Installation } from '../e2e/harness/installation.js';

const TOPIC = 'webhook-deliveries';

/** The partitions of each member by its id. A member that was thrown out comes back with another id. */
export type Assignment = ReadonlyMap<string, readonly number[]>;

/** The consumer group of an installation's first topic, which decides whose attempts an endpoint's are: as Kafka's tools show it. */
export class DeliveryGroup {
  private constructor(
    private readonly admin: Admin,
    private readonly prefix: string,
  ) {}

  static async of({ variables }: Installation): Promise<DeliveryGroup> {
    const { KAFKA_BROKERS = '', ENGINE_PREFIX = '' } = variables;
    const admin = new Kafka({ brokers: KAFKA_BROKERS.split(','), logLevel: logLevel.NOTHING }).admin();
    await admin.connect();
    return new DeliveryGroup(admin, ENGINE_PREFIX);
  }

  /** Waits until so many processes share the partitions: a process listens before it has its share. */
  sharedBy(processes: number): Promise<Assignment> {
    return eventually(async () => {
      const { groups } = await this.admin.describeGroups([`${this.prefix}delivery.${TOPIC}`]);
      const [group] = groups;
      if (group?.state !== 'Stable' || group.members.length !== processes)
        throw new Error(`The group of ${processes} is ${group?.state} with ${group?.members.length} members.`);
      return new Map(group.members.map(({ memberId, memberAssignment }) => [memberId, this.partitionsOf(memberAssignment)]));
    });
  }

  close(): Promise<void> {
    return this.admin.disconnect();
  }

  private partitionsOf(assignment: Buffer): readonly number[] {
    return AssignerProtocol.MemberAssignment.decode(assignment)?.assignment[`${this.prefix}${TOPIC}`] ?? [];
  }
}
