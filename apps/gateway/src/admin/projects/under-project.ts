import { Controller, type Type } from '@nestjs/common';
import { PATH_METADATA } from '@nestjs/common/constants.js';
import { AdminProjectRoute, projectRouteOf } from '../../http/routes/route.js';

const CLIENT_PREFIX = /^v1\/?/;

type Handler = (this: unknown, ...args: unknown[]) => unknown;

/**
 * A controller of the client API once more, for administrators, below a project of the admin API. The handlers are the
 * same; functions of their own bear their policies and documents, which Nest keeps as metadata of a function.
 */
export function underProject(controller: Type<object>): Type<object> {
  const path = String(Reflect.getMetadata(PATH_METADATA, controller)).replace(CLIENT_PREFIX, '');
  const name = `Admin${controller.name}`;
  const mounted = { [name]: class extends controller {} }[name] as Type<object>;
  for (const property of Object.getOwnPropertyNames(controller.prototype)) mountHandler(mounted, property, controller);
  Controller(`admin/v1/projects/:project_id/${path}`)(mounted);
  return mounted;
}

function mountHandler(mounted: Type<object>, property: string, controller: Type<object>): void {
  const handler = (controller.prototype as Readonly<Record<string, Handler>>)[property];
  const route = handler && projectRouteOf(handler);
  if (!route) return;
  const value: Handler = function (...args) {
    return handler.apply(this, args);
  };
  for (const key of Reflect.getMetadataKeys(handler))
    Reflect.defineMetadata(key, Reflect.getMetadata(key, handler) as unknown, value);
  const descriptor = { value, writable: true, enumerable: false, configurable: true };
  Object.defineProperty(mounted.prototype, property, descriptor);
  AdminProjectRoute(route, controller.name)(mounted.prototype as object, property, descriptor);
}
