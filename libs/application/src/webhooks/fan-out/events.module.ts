import { Module } from '@nestjs/common';
import { EmittedEvents } from './emitted-events.js';
import { GetEventHandler, ListEventsHandler } from './event.handlers.js';

/** The log of emitted events. Its rows come through the query bus. */
@Module({ providers: [EmittedEvents, ListEventsHandler, GetEventHandler], exports: [EmittedEvents] })
export class EventsModule {}
