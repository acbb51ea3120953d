import { validationException } from '@hashrange/core'
import type { Scope } from '@hashrange/engine'
import {
  objectOf,
  Template,
  TemplateError,
  Unresolved,
  type Evaluated,
  type Json,
  type JsonObject,
  type References,
  kindOf,
} from '@hashrange/templates'
import { stackArn, type StackResource, type StackVersion } from '../records/stack-record.ts'
import { placeholder } from './placeholder.ts'
import { transformsOf } from './read-template.ts'

interface Known {
  readonly scope: Scope
  readonly stack: { readonly name: string; readonly uid: string }
  readonly version: StackVersion
  readonly document: JsonObject
  readonly resources: Readonly<Record<string, StackResource>>
  /** The exports of all stacks. */
  readonly exports: ReadonlyMap<string, string>
}

/** What the functions of a stack's template refer to: its parameters, and its resources as far as they are there. */
export class StackValues implements References {
  readonly template: Template
  readonly #known: Known
  /** The exports that were asked for. */
  readonly imports = new Set<string>()

  constructor(known: Known) {
    this.#known = known
    const { version, scope, stack, document } = known
    const parameters = new Map(Object.entries({ ...version.parameters, ...version.resolved }))
    try {
      this.template = new Template(document, 'the template', { ...scope, parameters, stack: stack.name })
    } catch (error) {
      throw error instanceof TemplateError ? validationException(`Template format error: ${error.message}`) : error
    }
  }

  ref(name: string): Evaluated {
    const { scope, stack, version } = this.#known
    if (name === 'AWS::StackId') return stackArn(scope, stack)
    if (name === 'AWS::NotificationARNs') return version.notificationArns
    if (name.startsWith('AWS::') || this.template.hasParameter(name)) return this.template.ref(name)
    return this.#resource(name)?.physicalId ?? this.#madeByTransform(name) ?? notThere(name)
  }

  attribute(id: string, attribute: string): Evaluated {
    const resource = this.#resource(id)
    if (resource === undefined) return this.#madeByTransform(`${id}-${attribute}`, id) ?? notThere(id)
    const found = Object.hasOwn(resource.attributes, attribute) ? resource.attributes[attribute] : undefined
    if (found !== undefined) return found
    const { scope } = this.#known
    if (!resource.isThere || kindOf(resource.type, resource.properties, scope.region) === undefined)
      return placeholder(resource, attribute, scope)
    return new Unresolved(`Requested attribute ${attribute} does not exist in schema for ${resource.type}`)
  }

  get budget(): References['budget'] {
    return this.template.budget
  }

  condition(name: string): boolean | Unresolved {
    return this.template.condition(name)
  }

  mapped(map: string, first: string, second: string): Json | undefined {
    return this.template.mapped(map, first, second)
  }

  imported(name: string): Evaluated {
    this.imports.add(name)
    return this.#known.exports.get(name) ?? new Unresolved(`No export named ${name} found.`)
  }

  /** Whether the template leaves resources to a transform, such as SAM's. */
  get isTransformed(): boolean {
    return transformsOf(this.#known.document).length > 0
  }

  /** A transform makes roles, APIs and the like that the template names but does not declare. None of them is here. */
  #madeByTransform(name: string, id = name): string | undefined {
    const { document, stack } = this.#known
    const isDeclared = Object.hasOwn(objectOf(document['Resources']), id)
    return this.isTransformed && !isDeclared ? `${stack.name}-${name}` : undefined
  }

  #resource(id: string): StackResource | undefined {
    const { resources } = this.#known
    return Object.hasOwn(resources, id) ? resources[id] : undefined
  }
}

function notThere(id: string): Unresolved {
  return new Unresolved(`the resource ${id} is not there`)
}
