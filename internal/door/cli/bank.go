package cli

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"girih/internal/service"
)

// accessFlags are the flags that the commands about memory accesses share.
type accessFlags struct {
	typ, target       string
	accesses, threads []string
	asJSON            bool
}

func (f *accessFlags) add(c *cobra.Command) {
	c.Flags().StringVar(&f.typ, "type", "", "the `TYPE` of an element, such as f16 or float")
	c.Flags().StringArrayVar(&f.accesses, "access", nil, "the `INSTRUCTION`; more than one may be given")
	c.Flags().StringArrayVar(&f.threads, "threads", nil, "the `ELEMENTS` of each thread, once or for each access")
	c.Flags().StringVar(&f.target, "target", service.DefaultTarget, "the `MACHINE`")
	jsonFlag(c, &f.asJSON)
	// The only error is that there is no such flag.
	_ = c.RegisterFlagCompletionFunc("target", func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
		var names []string
		for _, t := range service.Targets() {
			names = append(names, t.Name+"\t"+t.Title)
		}
		return names, cobra.ShellCompDirectiveNoFileComp
	})
}

// complete says all that is missing of a command on one layout and its accesses, with a call that works.
func (f *accessFlags) complete(command string, exprs []string) error {
	expr, typ, access := "(8,64):(64,1)", "f16", "ldmatrix.x4"
	var missing []string
	switch len(exprs) {
	case 0:
		missing = append(missing, "a layout")
	case 1:
		expr, access = exprs[0], "ld" // which fits any layout
	default:
		return &usageError{
			msg: fmt.Sprintf("%s takes one layout, found %d: %s", command, len(exprs), strings.Join(exprs, " ")), hint: "Put quotation marks around an expression with blanks.",
		}
	}
	if f.typ == "" {
		missing = append(missing, "the type of an element (--type)")
	} else {
		typ, access = f.typ, "ld"
	}
	if len(f.accesses) == 0 {
		missing = append(missing, "an instruction (--access)")
	} else {
		access = f.accesses[0]
	}
	if len(missing) == 0 {
		return nil
	}
	return &usageError{
		msg:  command + " needs " + inWords(missing),
		hint: fmt.Sprintf("For instance: girih %s '%s' --type %s --access %s", command, expr, typ, access),
	}
}

// inWords joins a list: a, b and c.
func inWords(list []string) string {
	n := len(list) - 1
	if n < 1 {
		return strings.Join(list, "")
	}
	return strings.Join(list[:n], ", ") + " and " + list[n]
}

// threadsHelp explains --threads.
const threadsHelp = `--threads says which elements each thread accesses:

  (none)         one warp; lane t takes the t-th vector in the order of the index,
                 and with ldmatrix and stmatrix the t-th row as it is stored
  rows           lane t is in row t: down mode 0 first, then along mode 1
  cols           lane t is in column t: along mode 1 first, then down mode 0
  LAYOUT         a thread-value layout, (thread,value) -> index of the element,
                 as CuTe's layout_tv: composition(EXPR, LAYOUT) is accessed
  thr T          T maps coordinates to threads, as in local_partition
  thr T val V    the same with V elements each, as in make_tiled_copy

Rows and columns are those of the layout's shape; vectors lie along the first mode
in which enough elements are contiguous.`

func bankCommand() *cobra.Command {
	var f accessFlags
	var most int
	var verbose, explained bool
	c := &cobra.Command{
		Use:   "bank EXPR --type TYPE --access INSTRUCTION",
		Short: "Show the bank conflicts of accesses to shared memory",
		Long: `Show what shared memory does with an instruction of every warp: the wavefronts, how
many there would be without conflicts, and the lanes, banks and byte addresses of
each conflict. EXPR is a layout or a composed layout; its offsets, also those of a
swizzle, are in elements of the type.

INSTRUCTION is one of

  ld, st                     one element a lane
  ld.v2, ld.v4, st.v2, ...   2 or 4 elements
  ld.128, st.64, ...         so many bits: 8, 16, 32, 64 or 128
  ldmatrix.xN[.trans]        N = 1, 2 or 4; each lane gives the address of a row
  stmatrix.xN[.trans]        of 16 bytes
  cp.async.N                 N = 4, 8 or 16 bytes: what it writes to shared memory
  atom.OP.TYPE, red.OP.TYPE  add.u32, min.s32, and.b32, exch.b64, cas.b32, ...: lanes
                             that access one word take turns
  ds_read_bN, ds_write_bN    AMD's names

` + threadsHelp + `

` + service.Wrap("MACHINE is one of "+targetNames()+`. What sm90 does was measured; for the others the output says on what
documentation it rests, and what is not documented is refused. With --max N the exit status is 1 if a conflict is more than
N-way.`, textWidth, "", ""),
		Example: `  girih bank '(8,64):(64,1)' --type f16 --access ldmatrix.x4
  girih bank 'Sw<3,3,3> o 0 o (8,64):(64,1)' --type f16 --access ldmatrix.x4 --max 1
  girih bank '(8,64):(64,1)' --type f16 --access ldmatrix.x4 --explain
  girih bank '(128,8):(1,132)' --type f32 --access st --threads 'thr (32,8):(8,1)'
  girih bank '(32,32):(32,1)' --type half_t --access st.v2 --threads '((4,8),(2,2,4)):((64,1),(32,8,256))'
  girih bank '(32,32):(33,1)' --type f32 --access st --threads cols --access ld --threads rows
  girih bank '(64,64):(64,1)' --type f16 --access ds_read_b128 --target gfx942 -v`,
		Args: func(c *cobra.Command, args []string) error {
			if err := f.complete("bank", args); err != nil {
				return err
			}
			switch {
			case c.Flags().Changed("max") && most < 1:
				return &usageError{msg: fmt.Sprintf("--max is at least 1, which is conflict-free; found %d", most), hint: seeHelp(c)}
			}
			return nil
		},
		RunE: func(c *cobra.Command, args []string) error {
			var s service.Session
			if explained {
				return explainBank(c, &s, &f, args[0])
			}
			r := s.Bank(service.BankRequest{Expr: args[0], Type: f.typ, Accesses: f.accesses, Threads: f.threads, Target: f.target})
			text := func() string {
				if verbose {
					return r.Text("")
				}
				return r.Text("-v shows all")
			}
			if err := (reply{response: r, ok: r.OK, text: text, notes: r.Notes, fault: r.Fault, err: r.Error}).print(c, f.asJSON); err != nil {
				return err
			}
			return judgeConflicts(c, r, most)
		},
	}
	f.add(c)
	c.Flags().IntVar(&most, "max", 0, "exit with status 1 if a conflict is more than `N`-way")
	c.Flags().BoolVarP(&verbose, "verbose", "v", false, "show all conflicts, and the phases without")
	c.Flags().BoolVar(&explained, "explain", false, "explain phase by phase where the wavefronts come from, and what would remove the conflicts")
	return c
}

// judgeConflicts says which accesses have more than most-way conflicts, if most is set.
func judgeConflicts(c *cobra.Command, r service.BankResponse, most int) error {
	if most == 0 || r.Degree <= most {
		return nil
	}
	for _, a := range r.Accesses {
		if a.Degree > most {
			fmt.Fprintf(c.ErrOrStderr(), "girih: %s is %d-way, more than --max %d\n", a.Access, a.Degree, most)
		}
	}
	return exit(statusFailed)
}

// targetNames lists the machines in prose.
func targetNames() string {
	var names []string
	for _, t := range service.Targets() {
		names = append(names, t.Name)
	}
	return strings.Join(names, ", ")
}
