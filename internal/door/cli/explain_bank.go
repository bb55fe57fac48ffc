package cli

import (
	"github.com/spf13/cobra"

	"girih/internal/service"
)

// explainBank writes why the accesses of girih bank cost what they do.
func explainBank(c *cobra.Command, s *service.Session, f *accessFlags, expr string) error {
	r, fault := s.ExplainBank(service.BankRequest{Expr: expr, Type: f.typ, Accesses: f.accesses, Threads: f.threads, Target: f.target})
	text := func() string { return r.Text(explainWidth) }
	return reply{response: r, ok: r.OK, text: text, notes: r.Notes, fault: fault, err: r.Error}.print(c, f.asJSON)
}
