import { Readable } from 'node:stream';
import { renderJson } from '@domain/kernel/json-text';

/** What a stream holds for a reader that does not read, beside the socket's own buffers. */
const MAX_UNREAD_BYTES = 64 * 1_024;

/** Metadata is kept as it was sent, with line breaks between its members. */
const LINE_BREAKS = /[\r\n]+/g;

export interface ServerSentEvent {
  readonly event: string;
  readonly data: object;
  /** Where a reader continues after it. */
  readonly id: string;
}

/** The event as the format of server-sent events writes it. */
export function eventText({ event, data, id }: ServerSentEvent): string {
  return `event: ${event}\ndata: ${renderJson(data).replace(LINE_BREAKS, ' ')}\nid: ${id}\n\n`;
}

/** A comment, which readers ignore. With an `id`, readers that connect again go on there. */
export function commentText(comment: string, id: string | null = null): string {
  return `: ${comment}\n${id === null ? '' : `id: ${id}\n`}\n`;
}

/** The body of an answer that stays open, such as of server-sent events. It ends by `finish`, or is destroyed when the client disconnects. */
export class EventStream extends Readable {
  private hasRoom = true;
  private isFinished = false;
  private whenRoom: () => void = () => undefined;

  constructor() {
    super({ highWaterMark: MAX_UNREAD_BYTES });
  }

  /** Whether the reader is too slow. What is sent then is kept in memory, so send nothing and use `onRoom`. */
  get isFull(): boolean {
    return !this.hasRoom;
  }

  /** After the end it does nothing. */
  send(text: string): void {
    if (!this.isFinished && !this.destroyed) this.hasRoom = this.push(text);
  }

  /** Calls back whenever a full stream has room again. */
  onRoom(callback: () => void): void {
    this.whenRoom = callback;
  }

  finish(): void {
    if (this.isFinished || this.destroyed) return;
    this.isFinished = true;
    this.push(null);
  }

  override _read(): void {
    if (this.hasRoom) return;
    this.hasRoom = true;
    this.whenRoom();
  }
}
