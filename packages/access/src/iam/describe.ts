import { uriEncode } from '../signatures/uri-encode.ts'
import type {
  AccessKeyRecord,
  GroupRecord,
  KeyUseRecord,
  PolicyVersion,
  RoleRecord,
  Tag,
  UserRecord,
} from '../identities/identity-records.ts'
import { groupArn, roleArn, userArn } from '../identities/principal.ts'

/** The forms in which IAM tells of identities. */
export function describeUser(accountId: string, user: UserRecord, isWhole = false): object {
  return {
    Path: user.path,
    UserName: user.name,
    UserId: user.id,
    Arn: userArn(accountId, user),
    CreateDate: new Date(user.createdAtMs),
    ...(isWhole && { PermissionsBoundary: describeBoundary(user.boundary), Tags: describedTags(user.tags) }),
  }
}

export function describeGroup(accountId: string, group: GroupRecord): object {
  return {
    Path: group.path,
    GroupName: group.name,
    GroupId: group.id,
    Arn: groupArn(accountId, group),
    CreateDate: new Date(group.createdAtMs),
  }
}

export function describeRole(accountId: string, role: RoleRecord, isWhole = false, use?: KeyUseRecord): object {
  return {
    Path: role.path,
    RoleName: role.name,
    RoleId: role.id,
    Arn: roleArn(accountId, role),
    CreateDate: new Date(role.createdAtMs),
    AssumeRolePolicyDocument: uriEncode(role.trust),
    Description: role.description,
    MaxSessionDuration: role.maxSessionSeconds,
    ...(isWhole && {
      PermissionsBoundary: describeBoundary(role.boundary),
      Tags: describedTags(role.tags),
      RoleLastUsed: use === undefined ? {} : { LastUsedDate: new Date(use.atMs), Region: use.region },
    }),
  }
}

export function describeVersion(version: PolicyVersion, defaultVersionId: string, withDocument: boolean): object {
  return {
    ...(withDocument && { Document: uriEncode(version.document) }),
    VersionId: version.id,
    IsDefaultVersion: version.id === defaultVersionId,
    CreateDate: new Date(version.createdAtMs),
  }
}

export function describeKey(userName: string | undefined, key: AccessKeyRecord): object {
  return {
    UserName: userName,
    AccessKeyId: key.name,
    Status: key.status,
    CreateDate: new Date(key.createdAtMs),
  }
}

export function describedTags(tags: readonly Tag[]): object[] | undefined {
  return tags.length === 0 ? undefined : tags.map(({ key, value }) => ({ Key: key, Value: value }))
}

function describeBoundary(arn: string | undefined): object | undefined {
  return arn === undefined ? undefined : { PermissionsBoundaryType: 'Policy', PermissionsBoundaryArn: arn }
}
