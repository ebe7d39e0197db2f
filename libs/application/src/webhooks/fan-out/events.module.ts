import { Module } from '@nestjs/common';
import { EmittedEvents } from './emitted-events.js';
import { GetEventHandler, ListEventsHandler } from './event.handlers.js';

/** Reads of emitted events. Their rows come through the query bus. */
@Module({ providers: [EmittedEvents, ListEventsHandler, GetEventHandler], exports: [EmittedEvents] })
export class EventsModule {}
