/** What to type to run us: compiled code is an installed package, whose command is on the PATH; a clone has it through npm alone. */
export const commandName = import.meta.filename.endsWith('.ts') ? 'npx nameglass' : 'nameglass';
