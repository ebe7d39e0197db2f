// What a team might write first: Nest on Express, a ValidationPipe, one append to the same embedded engine, one call to the
// model, no read model.
import 'reflect-metadata';
import { randomUUID } from 'node:crypto';
import { Body, Controller, Module, Post, ValidationPipe } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { ExpressAdapter } from 'nest-platform-express';
import { IsObject, IsString, MaxLength } from 'class-validator';
import { openEngine } from '../programs/engine.mjs';
import { modelCall } from './model-call.mjs';

const [build, directory, modelUrl] = process.argv.slice(2);
const { events, engine } = await openEngine(build, directory);
const ask = modelCall(modelUrl);
const padding = 'x'.repeat(800);

class MessageDto {}
for (const property of ['external_conversation_id', 'content']) {
  IsString()(MessageDto.prototype, property);
  MaxLength(8_000)(MessageDto.prototype, property);
}
for (const property of ['customer', 'metadata']) IsObject()(MessageDto.prototype, property);

class MessagesController {
  async send({ external_conversation_id: thread, content }) {
    const id = randomUUID();
    const event = { type: 'MessagePosted', at: Date.now(), thread, content, padding: padding.slice(0, 300) };
    await events.append(`message-${id}`, [{ id: randomUUID(), event }], 'none');
    return { id, content: await ask(content), padding };
  }
}

// Decorators by hand: this file is not compiled.
const { prototype } = MessagesController;
Body()(prototype, 'send', 0);
Post('messages')(prototype, 'send', Object.getOwnPropertyDescriptor(prototype, 'send'));
Reflect.defineMetadata('design:paramtypes', [MessageDto], prototype, 'send');
Controller('v1')(MessagesController);
class Peer {}
Module({ controllers: [MessagesController] })(Peer);

const app = await NestFactory.create(Peer, new ExpressAdapter(), { logger: false });
app.useGlobalPipes(new ValidationPipe({ transform: true }));
await app.listen(0, '127.0.0.1');
console.log(`Listening on http://127.0.0.1:${app.getHttpServer().address().port}`);
process.on('SIGTERM', () => void engine.close().then(() => process.exit(0)));
