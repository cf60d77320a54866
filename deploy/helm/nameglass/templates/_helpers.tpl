{{/* Labels of everything, and the image. Templates use few functions, so that they can be checked without Helm. */}}
{{- define "nameglass.labels" -}}
app.kubernetes.io/name: nameglass
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- define "nameglass.image" -}}
{{ .Values.image.repository }}:{{ .Values.image.tag | default .Chart.AppVersion }}
{{- end }}

{{- define "nameglass.secret" -}}
{{ .Values.existingSecret | default (printf "%s-settings" .Release.Name) }}
{{- end }}

{{/* What every pod has: its user, no token of Kubernetes, and a first process that reaps others, which Node does not. */}}
{{- define "nameglass.pod" -}}
automountServiceAccountToken: false
enableServiceLinks: false
shareProcessNamespace: true
{{- with .Values.image.pullSecrets }}
imagePullSecrets: {{ toJson . }}
{{- end }}
securityContext:
  runAsNonRoot: true
  runAsUser: 10080
  runAsGroup: 10080
  fsGroup: 10080
  seccompProfile: {type: RuntimeDefault}
terminationGracePeriodSeconds: 60
{{- end }}

{{- define "nameglass.container" -}}
image: {{ include "nameglass.image" . | quote }}
imagePullPolicy: {{ .Values.image.pullPolicy }}
securityContext:
  allowPrivilegeEscalation: false
  readOnlyRootFilesystem: true
  capabilities: {drop: [ALL]}
{{- end }}

{{- define "nameglass.probes" -}}
ports:
  - {name: http, containerPort: 8080}
readinessProbe:
  httpGet: {path: /readyz, port: http}
  periodSeconds: 5
  timeoutSeconds: 5
livenessProbe:
  httpGet: {path: /healthz, port: http}
  periodSeconds: 10
  timeoutSeconds: 10
  failureThreshold: 6
startupProbe:
  httpGet: {path: /healthz, port: http}
  periodSeconds: 2
  failureThreshold: 60
{{- end }}

{{- define "nameglass.mounts" -}}
volumeMounts:
  - {name: settings, mountPath: /etc/nameglass, readOnly: true}
  - {name: data, mountPath: /data}
  - {name: tmp, mountPath: /tmp}
{{- end }}
