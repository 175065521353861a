{{- define "chest.selector" -}}
app.kubernetes.io/name: chest
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end -}}
{{- define "chest.labels" -}}
{{ include "chest.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
{{- end -}}
