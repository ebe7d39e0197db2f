import type { IncomingHttpHeaders } from 'node:http';
import { Injectable } from '@nestjs/common';
import { AdminSessions } from '@application/admin/admin-sessions';
import type { EventStream } from '../http/server-sent-events/event-stream.js';
import type { StreamPlaces } from '../http/server-sent-events/stream-places.js';
import { presentedToken } from './presented-token.js';
import { SessionWatch } from './session-watch.js';

/** Streams that end with the admin session that opened them. */
@Injectable()
export class SessionStreams {
  constructor(
    private readonly sessions: AdminSessions,
    private readonly watch: SessionWatch,
  ) {}

  /** The stream has a place until it closes. Rejects with `service_unavailable` where there is none, and as `begin` does. */
  async open(
    headers: IncomingHttpHeaders,
    places: StreamPlaces,
    begin: () => EventStream | Promise<EventStream>,
  ): Promise<EventStream> {
    const { token } = presentedToken(headers);
    const { id: sessionId } = await this.sessions.find(token);
    const leave = places.enter(sessionId);
    try {
      const stream = await begin();
      stream.once('close', leave);
      stream.once(
        'close',
        this.watch.watch(token ?? '', () => stream.finish()),
      );
      return stream;
    } catch (error) {
      leave();
      throw error;
    }
  }
}
