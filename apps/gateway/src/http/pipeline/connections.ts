import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** Answers that wait on their connections for others in front of them: one listener each would be too many. */
export class Connections {
  private readonly waiting = new WeakMap<Socket, Map<ServerResponse, () => void>>();

  /** Calls back when the connection goes before the answer was sent. */
  whenGone(socket: Socket, answer: ServerResponse, callback: () => void): void {
    if (socket.destroyed) return callback();
    const answers = this.answersOn(socket);
    answers.set(answer, callback);
    answer.once('close', () => answers.delete(answer));
  }

  private answersOn(socket: Socket): Map<ServerResponse, () => void> {
    const known = this.waiting.get(socket);
    if (known) return known;
    const answers = new Map<ServerResponse, () => void>();
    this.waiting.set(socket, answers);
    socket.once('close', () => {
      for (const callback of answers.values()) callback();
      answers.clear();
    });
    return answers;
  }
}
