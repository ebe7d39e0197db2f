import { Injectable } from '@nestjs/common';
import type { ConversationCard } from '@domain/conversation/conversation';
import type { CustomerMemory } from '@ports/agent.port';
import { Clock, pause } from '@ports/clock.port';
import { EarlierConversations } from './earlier-conversations.js';
import { MEMORY_WITHIN_MS } from './memory-times.js';
import { RememberedAppointments } from './remembered-appointments.js';

const NOTHING_REMEMBERED: CustomerMemory = { appointments: [], conversations: [] };

/** What an agent is reminded of about a customer (api-contract §16). */
@Injectable()
export class CustomerMemories {
  constructor(
    private readonly appointments: RememberedAppointments,
    private readonly earlier: EarlierConversations,
    private readonly clock: Clock,
  ) {}

  /** For the turn of a message: empty when nobody is known, and when it is late. Never rejects. */
  async inTime(conversation: ConversationCard, customerId: string | null, messageId: string): Promise<CustomerMemory> {
    if (customerId === null) return NOTHING_REMEMBERED;
    const enough = new AbortController();
    const late = pause(this.clock, MEMORY_WITHIN_MS, enough.signal).then(() => NOTHING_REMEMBERED);
    try {
      return await Promise.race([this.whole(conversation, customerId, messageId), late]);
    } catch {
      return NOTHING_REMEMBERED;
    } finally {
      enough.abort();
    }
  }

  /** Appointments that cannot be looked at are none here; a tool says so to whoever asks for them. */
  private async whole({ id, projectId }: ConversationCard, customerId: string, messageId: string): Promise<CustomerMemory> {
    const [appointments, conversations] = await Promise.all([
      this.appointments.appointmentsOf(projectId, customerId, messageId).catch(() => NOTHING_REMEMBERED.appointments),
      this.earlier.earlierConversationsOf(projectId, customerId, id),
    ]);
    return { appointments, conversations };
  }
}
