-- Monitors as code: JSON of the file that declares a monitor, and of its settings when that was applied.
alter table monitor add column declared text;
