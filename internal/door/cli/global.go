package cli

import (
	"github.com/spf13/cobra"

	"girih/internal/service"
)

func globalCommand() *cobra.Command {
	var f accessFlags
	var base int64
	c := &cobra.Command{
		Use:   "global EXPR --type TYPE --access INSTRUCTION",
		Short: "Show the sectors that accesses to global memory move",
		Long: `Show what global memory moves for an instruction of every warp: sectors of 32
bytes, lines of 128, the share of the moved bytes that some lane accesses, and the
widest access that the layout admits. EXPR is a layout or a composed layout with
offsets in elements of the type; --base says where in a line of 128 bytes element
0 lies.

INSTRUCTION is ld or st (one element a lane), ld.v2, st.v4 (so many), ld.128, st.64
(so many bits), cp.async.16 (so many bytes), atom.add.u32, red.add.f32 and others,
or cp.async.bulk.4096: runs of so many bytes, copied by one thread unless --threads
says which. Bytes that several lanes access count once.

` + threadsHelp,
		Example: `  girih global '(1024,8):(8,1)' --type f32 --access ld --threads '(32,8):(1,1024)'
  girih global '(128,64):(64,1)' --type f16 --access ld.v4 --access ld.128 --threads cols
  girih global '(64,256):(264,1)' --type f16 --access cp.async.bulk.512
  girih global '1024:1' --type f32 --access ld --base 4`,
		Args: func(c *cobra.Command, args []string) error {
			switch {
			case len(args) != 1:
				return &usageError{msg: "global needs one expression", hint: seeHelp(c)}
			case f.typ == "":
				return &usageError{msg: "global needs the type of an element, as in --type f16", hint: seeHelp(c)}
			case len(f.accesses) == 0:
				return &usageError{msg: "global needs an instruction, as in --access ld.v4", hint: seeHelp(c)}
			}
			return nil
		},
		RunE: func(c *cobra.Command, args []string) error {
			var s service.Session
			r := s.Global(service.GlobalRequest{Expr: args[0], Type: f.typ, Accesses: f.accesses, Threads: f.threads, Target: f.target, Base: base})
			return reply{response: r, ok: r.OK, text: r.Text, notes: r.Notes, fault: r.Fault, err: r.Error}.print(c, f.asJSON)
		},
	}
	f.add(c)
	c.Flags().Int64Var(&base, "base", 0, "the byte address of element 0, counted from the beginning of a line, as `BYTES`")
	return c
}
