import { Body, Controller, Delete, Get, Patch, Post, Res } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { DeleteCustomer, GetCustomer } from '@application/customers/customer.commands';
import { customersProjection, type CustomerRow } from '@application/customers/customers.projection';
import { ListTexts } from '@application/read-models/list-texts.query';
import type { ErrorCode } from '@domain/kernel/domain-error';
import type { JsonText } from '@domain/kernel/json-text';
import { emailIs, exactly, phoneIs, readFilter, readFlag, timeRange, type Filters } from '../http/paging/list-filters.js';
import { shownBy, toListText } from '../http/paging/list.resource.js';
import { readPage } from '../http/paging/read-page.js';
import { Client, type ClientRequest } from '../http/pipeline/request-state.js';
import { ListRoute, Route } from '../http/routes/route.js';
import { CustomerResource, DeletedCustomerResource, toCustomerResource, toDeletedCustomerResource } from './customer.resource.js';
import { CustomerDto, UpdateCustomerDto } from './customers.dto.js';

const CUSTOMER = { status: 200, description: 'The customer as it is now.', resource: CustomerResource } as const;
const REFUSALS: readonly ErrorCode[] = [
  'parameter_too_long',
  'phone_invalid_format',
  'email_invalid_format',
  'metadata_invalid',
  'metadata_too_large',
];
const FILTERS: Filters = {
  phone: phoneIs('phone'),
  email: emailIs('email'),
  external_id: exactly("Only customers with this id of the client's.", 'externalId'),
  created_at: timeRange('Only customers created', 'createdAt'),
  include_deleted: {
    kind: 'text',
    schema: { type: 'boolean' },
    description: '`true`: deleted customers too. false when not given.',
    read: () => [[]],
  },
};

const SHOWN = shownBy<CustomerRow>(({ id, createdAt, row }) => toCustomerResource({ id, createdAt, ...row }));

@ApiTags('Customers')
@Controller('v1/customers')
export class CustomersController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  @Post()
  @Route({
    scope: 'customers:write',
    rate: 'write',
    summary: 'Create a customer, or complete the live one with this phone or e-mail',
    body: CustomerDto,
    answers: [
      { ...CUSTOMER, status: 201, description: 'A new customer was created.' },
      { ...CUSTOMER, description: 'A live customer had the phone or e-mail; what it lacked was filled in.' },
    ],
    errors: [...REFUSALS, 'parameter_missing'],
  })
  async create(
    @Client() { context }: ClientRequest,
    @Body() body: CustomerDto,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<CustomerResource> {
    const { customer, created } = await this.commands.execute(body.toCommand(context));
    reply.status(created ? 201 : 200);
    return toCustomerResource(customer);
  }

  @Get()
  @ListRoute({
    scope: 'customers:read',
    summary: 'List customers',
    filters: FILTERS,
    resource: CustomerResource,
    kind: 'customer',
    errors: ['phone_invalid_format', 'email_invalid_format'],
  })
  async list(@Client() { caller, query }: ClientRequest): Promise<JsonText> {
    const filter = readFilter(query, FILTERS);
    const includeDeleted = readFlag(query, 'include_deleted');
    const list = new ListTexts(customersProjection, caller.projectId, filter, readPage(query), { includeDeleted });
    return toListText(await this.queries.execute(list), SHOWN);
  }

  @Get(':id')
  @Route({
    scope: 'customers:read',
    rate: 'read',
    summary: 'Retrieve a customer, a deleted one included',
    answers: [CUSTOMER],
    errors: ['resource_missing'],
  })
  async get(@Client() { caller, params }: ClientRequest): Promise<CustomerResource> {
    return toCustomerResource(await this.queries.execute(new GetCustomer(caller.projectId, params['id'] ?? '')));
  }

  @Patch(':id')
  @Route({
    scope: 'customers:write',
    rate: 'write',
    summary: 'Change a customer',
    about:
      'Members that are left out stay as they are. A phone number or e-mail address that another live customer has is refused.',
    body: UpdateCustomerDto,
    example: { email: 'a@b.co', metadata: { plan: 'pro' } },
    answers: [CUSTOMER],
    errors: [...REFUSALS, 'customer_exists', 'resource_missing'],
  })
  async update(@Client() { context, params }: ClientRequest, @Body() body: UpdateCustomerDto): Promise<CustomerResource> {
    return toCustomerResource(await this.commands.execute(body.toCommand(context, params['id'] ?? '')));
  }

  @Delete(':id')
  @Route({
    scope: 'customers:write',
    rate: 'write',
    summary: 'Delete a customer',
    about:
      'Lists pass over a deleted customer, `GET` still shows it, and the same phone number later is a new customer. Deleting a deleted one changes nothing.',
    answers: [
      {
        status: 200,
        description: 'The customer is deleted, now or before. Its phone and e-mail are free for another.',
        resource: DeletedCustomerResource,
      },
    ],
    errors: ['resource_missing'],
  })
  async delete(@Client() { context, params }: ClientRequest): Promise<DeletedCustomerResource> {
    return toDeletedCustomerResource(await this.commands.execute(new DeleteCustomer(context, params['id'] ?? '')));
  }
}
