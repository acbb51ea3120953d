{{- define "hashrange.name" -}}
{{- if eq .Release.Name "hashrange" }}hashrange{{ else }}{{ printf "%s-hashrange" .Release.Name | trunc 52 | trimSuffix "-" }}{{ end }}
{{- end }}

{{- define "hashrange.labels" -}}
app.kubernetes.io/name: hashrange
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- define "hashrange.allLabels" -}}
{{ include "hashrange.labels" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version }}
{{- end }}

{{- define "hashrange.secret" -}}
{{- .Values.store.existingSecret | default (printf "%s-store" (include "hashrange.name" .)) }}
{{- end }}

{{- define "hashrange.authSecret" -}}
{{- .Values.auth.existingSecret | default (printf "%s-auth" (include "hashrange.name" .)) }}
{{- end }}

{{- define "hashrange.image" -}}
{{ .Values.image.repository }}:{{ .Values.image.tag | default .Chart.AppVersion }}
{{- end }}

{{- define "hashrange.podSecurity" -}}
runAsNonRoot: true
runAsUser: 1000
runAsGroup: 1000
seccompProfile: { type: RuntimeDefault }
{{- end }}

{{- define "hashrange.containerSecurity" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
capabilities: { drop: ['ALL'] }
{{- end }}
