//! The extension for Zed: it starts `covr lsp`.

use zed_extension_api as zed;

struct Cover;

impl zed::Extension for Cover {
    fn new() -> Self {
        Cover
    }

    fn language_server_command(
        &mut self,
        _server: &zed::LanguageServerId,
        worktree: &zed::Worktree,
    ) -> zed::Result<zed::Command> {
        let command = worktree
            .which("covr")
            .ok_or("covr is not on the path; install it with: pip install 'covr[lsp]'")?;
        Ok(zed::Command {
            command,
            args: vec!["lsp".into()],
            env: worktree.shell_env(),
        })
    }
}

zed::register_extension!(Cover);
