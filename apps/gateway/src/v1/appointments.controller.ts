import { Body, Controller, Get, Patch, Post, Res } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { GetAppointment, type ChangeAppointment } from '@application/appointments/appointment.commands';
import { appointmentsProjection, toAppointment, type AppointmentRow } from '@application/appointments/appointments.projection';
import type { Caller } from '@application/projects/caller';
import type { RequestContext } from '@application/runtime/request-context';
import { ListTexts } from '@application/read-models/list-texts.query';
import type { Appointment } from '@domain/appointment/appointment';
import type { ErrorCode } from '@domain/kernel/domain-error';
import type { JsonText } from '@domain/kernel/json-text';
import { readFilter } from '../http/paging/list-filters.js';
import { shownBy, toListText } from '../http/paging/list.resource.js';
import { readPage } from '../http/paging/read-page.js';
import { entityTag, expectedVersion } from '../http/pipeline/if-match.js';
import { Client, type ClientRequest } from '../http/pipeline/request-state.js';
import type { ProjectRoute } from '../http/routes/project-route.js';
import { ListRoute, Route } from '../http/routes/route.js';
import { APPOINTMENT_FILTERS, AS_OF, asOfIn } from './appointment-filters.js';
import { AppointmentResource, toPublished } from './appointment.resource.js';
import {
  AmendAppointmentDto,
  CancelAppointmentDto,
  ConfirmAppointmentDto,
  FailAppointmentDto,
  RebookAppointmentDto,
  RescheduleAppointmentDto,
} from './appointments.dto.js';
import { BookAppointmentDto } from './book-appointment.dto.js';

const APPOINTMENT = {
  status: 200,
  description: 'The appointment as it is now.',
  resource: AppointmentResource,
  tagged: true,
} as const;
const REFUSALS: readonly ErrorCode[] = ['parameter_too_long', 'resource_missing', 'version_conflict'];

interface ChangeBody {
  expected_version?: number | null;
  toCommand(context: RequestContext, id: string, expectedVersion: number | null, caller: Caller): ChangeAppointment;
}

type Asked = Required<Pick<ProjectRoute, 'body' | 'example'>>;

function Transition(summary: string, asked: Asked, ...more: readonly ErrorCode[]): MethodDecorator {
  return Change(summary, asked, 'appointment_invalid_transition', ...more);
}

function Change(summary: string, asked: Asked, ...more: readonly ErrorCode[]): MethodDecorator {
  return Route({
    scope: 'agent',
    rate: 'write',
    summary,
    ...asked,
    answers: [APPOINTMENT],
    errors: [...REFUSALS, ...more],
    versioned: true,
  });
}

const SHOWN = shownBy<AppointmentRow>((stored) => toPublished(toAppointment(stored)));

@ApiTags('Appointments')
@Controller('v1/appointments')
export class AppointmentsController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  @Post()
  @Route({
    scope: 'agent',
    rate: 'write',
    summary: 'Book an appointment, or answer the live one that is the same',
    about:
      'Two bookings are the same where customer (else call), service, resource and start are, among appointments that are pending, confirmed or rescheduled. Emits `appointment.created`, with the status `confirmed` also `appointment.confirmed`, with `failed` only `appointment.failed`.',
    body: BookAppointmentDto,
    example: {
      customer: { phone: '+4915112345678' },
      service: 'dental_cleaning',
      starts_at: '2026-03-02T09:00:00Z',
      duration_minutes: 30,
      time_zone: 'Europe/Berlin',
    },
    answers: [
      { ...APPOINTMENT, status: 201, description: 'A new appointment was booked.' },
      { ...APPOINTMENT, description: 'The same booking is there already: `deduplicated` is true.' },
    ],
    refers: 'customer_id',
    errors: [
      ...([
        'parameter_missing',
        'parameter_too_long',
        'parameter_conflict',
        'phone_invalid_format',
        'email_invalid_format',
      ] as const),
      ...(['metadata_invalid', 'metadata_too_large', 'time_range_invalid', 'resource_missing'] as const),
    ],
  })
  async book(
    @Client() { context }: ClientRequest,
    @Body() body: BookAppointmentDto,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<AppointmentResource> {
    const { appointment, deduplicated } = await this.commands.execute(body.toCommand(context));
    reply.status(deduplicated ? 200 : 201).header('ETag', entityTag(appointment.version));
    return { ...toPublished(appointment), deduplicated };
  }

  @Get()
  @ListRoute({
    scope: 'appointments:read',
    summary: 'List appointments',
    filters: APPOINTMENT_FILTERS,
    resource: AppointmentResource,
    kind: 'appointment',
  })
  async list(@Client() { caller, query }: ClientRequest): Promise<JsonText> {
    const page = new ListTexts(appointmentsProjection, caller.projectId, readFilter(query, APPOINTMENT_FILTERS), readPage(query));
    return toListText(await this.queries.execute(page), SHOWN);
  }

  @Get(':id')
  @Route({
    scope: 'appointments:read',
    rate: 'read',
    summary: 'Retrieve an appointment as it is now, or as it was',
    about: 'With `as_of` a time before it was booked is answered 404.',
    filters: AS_OF,
    answers: [{ ...APPOINTMENT, tagged: 'unless-past', description: 'The appointment as it is now, or as it was then.' }],
    errors: ['parameter_invalid', 'resource_missing'],
  })
  async get(
    @Client() { caller, params, query }: ClientRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<AppointmentResource> {
    const asOf = asOfIn(query);
    const appointment = await this.queries.execute(new GetAppointment(caller.projectId, params['id'] ?? '', asOf));
    return asOf === null ? tagged(reply, appointment) : toPublished(appointment);
  }

  @Patch(':id')
  @Change(
    'Change what is not its status or time; nothing is emitted',
    { body: AmendAppointmentDto, example: { notes: 'Prefers the ground floor.' } },
    'metadata_invalid',
    'metadata_too_large',
  )
  amend(
    @Client() request: ClientRequest,
    @Body() body: AmendAppointmentDto,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<AppointmentResource> {
    return this.change(request, body, reply);
  }

  @Post(':id/confirm')
  @Transition('Confirm an appointment', { body: ConfirmAppointmentDto, example: { reason: 'customer_confirmed' } })
  confirm(
    @Client() request: ClientRequest,
    @Body() body: ConfirmAppointmentDto,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<AppointmentResource> {
    return this.change(request, body, reply);
  }

  @Post(':id/reschedule')
  @Transition(
    'Move an appointment',
    { body: RescheduleAppointmentDto, example: { starts_at: '2026-03-02T14:00:00Z', reason: 'customer_request' } },
    'parameter_missing',
    'time_range_invalid',
    'appointment_duplicate',
  )
  reschedule(
    @Client() request: ClientRequest,
    @Body() body: RescheduleAppointmentDto,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<AppointmentResource> {
    return this.change(request, body, reply);
  }

  @Post(':id/cancel')
  @Transition('Cancel an appointment', {
    body: CancelAppointmentDto,
    example: { reason: 'customer_request', cancelled_by: 'customer' },
  })
  cancel(
    @Client() request: ClientRequest,
    @Body() body: CancelAppointmentDto,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<AppointmentResource> {
    return this.change(request, body, reply);
  }

  @Post(':id/fail')
  @Transition(
    'Record that an appointment failed',
    { body: FailAppointmentDto, example: { code: 'calendar_unavailable', message: 'The calendar did not answer.' } },
    'parameter_missing',
  )
  fail(
    @Client() request: ClientRequest,
    @Body() body: FailAppointmentDto,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<AppointmentResource> {
    return this.change(request, body, reply);
  }

  @Post(':id/rebook')
  @Transition(
    'Book a cancelled or failed appointment again, under its id',
    { body: RebookAppointmentDto, example: { starts_at: '2026-03-09T09:00:00Z', reason: 'customer_request' } },
    'parameter_missing',
    'time_range_invalid',
    'appointment_duplicate',
  )
  rebook(
    @Client() request: ClientRequest,
    @Body() body: RebookAppointmentDto,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<AppointmentResource> {
    return this.change(request, body, reply);
  }

  private async change(
    { headers, context, params, caller }: ClientRequest,
    body: ChangeBody,
    reply: FastifyReply,
  ): Promise<AppointmentResource> {
    const version = expectedVersion(headers, body.expected_version ?? null);
    const command = body.toCommand(context, params['id'] ?? '', version, caller);
    return tagged(reply, await this.commands.execute(command));
  }
}

function tagged(reply: FastifyReply, appointment: Appointment): AppointmentResource {
  reply.header('ETag', entityTag(appointment.version));
  return toPublished(appointment);
}
