package cli

import (
	"github.com/spf13/cobra"

	"girih/internal/service"
)

// explainBank writes why the accesses of girih bank cost what they do.
func explainBank(c *cobra.Command, s *service.Session, f *accessFlags, expr string) error {
	r, fault := s.ExplainBank(service.BankRequest{Expr: expr, Type: f.typ, Accesses: f.accesses, Threads: f.threads, Target: f.target})
	switch {
	case f.asJSON:
		if err := writeJSON(c, r); err != nil {
			return err
		}
	case r.OK:
		if err := write(c, r.Text(explainWidth)); err != nil {
			return err
		}
		printNotes(c.ErrOrStderr(), r.Notes)
	default:
		return f.report(c, fault, r.Error)
	}
	if !r.OK {
		return exit(statusFailed)
	}
	return nil
}
