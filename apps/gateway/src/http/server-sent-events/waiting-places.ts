import { Injectable } from '@nestjs/common';
import { StreamPlaces } from './stream-places.js';

/**
 * The places of a gateway's requests that wait for something to happen, and of its streams of a message. The owner is a project, or all
 * administrators together.
 */
@Injectable()
export class WaitingPlaces extends StreamPlaces {
  constructor() {
    super({
      most: 1_000,
      mostOfOwner: 500,
      retryAfterSeconds: 2,
      refusal: 'Too many requests wait already. Ask without waiting for a while.',
    });
  }
}
