package cli

import (
	"fmt"
	"io"
	"time"

	"github.com/spf13/cobra"

	"girih/internal/service"
)

// swizzleFlags are the flags of the three forms of the command.
type swizzleFlags struct {
	accessFlags
	layout   string
	from, to string
	what     string // to recognise
	between  service.ConvertRequest
}

func swizzleCommand() *cobra.Command {
	var f swizzleFlags
	c := &cobra.Command{
		Use:   "swizzle EXPR --type TYPE --access INSTRUCTION[@THREADS]... | --from EXPR --to EXPR | --recognise TEXT | --between R1 R2",
		Short: "Find the swizzle that removes bank conflicts, or recognise one",
		Long: `Find the smallest change of a shared-memory tile after which none of the given
accesses has a bank conflict, or a proof that there is none:

  1. all smallest swizzles Sw<B,M,S>, S > 0 and S < 0: those with the least B;
     swizzles that are one function on the tile are one answer
  2. the linear map of bits with the fewest exclusive ors, as formula and matrix
  3. the padding that takes the least memory
  4. the proof that nothing of these does, and what costs the fewest wavefronts

Every answer keeps the elements of one access neighbours and aligned; swizzles and
maps keep the tile in its memory. Every answer has been simulated, instruction by
instruction, before it is printed. The exit status is 1 if there is none without
conflicts.

EXPR is a layout whose offsets are in elements of the type; --layout EXPR says the
same. INSTRUCTION and MACHINE
are those of 'girih bank'. THREADS, behind @ or with --threads, are those of
'girih bank' too: rows, cols, a thread-value layout, or thr T val V.

With --from and --to, find the swizzles that turn one layout into another one of the
same size, or the linear map that does, or the first index at which none can.

With --recognise (or --recognize), say what TEXT is as swizzles and a layout: a list
of offsets such as 0,1,3,2, rows of a matrix of 0 and 1 such as 101;010;001, a
formula such as addr ^ ((addr & 0x380) >> 3), swizzles after each other such as
Sw<3,0,3> o Sw<1,2,3>, or an expression; - reads TEXT from the standard input.
With --type, also in bytes and bits.

With --between, find the layout of shared memory through which a tensor goes from the
register layout R1 to R2 with the fewest wavefronts. Register layouts are those of
'girih convert', which plans the whole conversion.`,
		Example: `  girih swizzle '(8,64):(64,1)' --type f16 --access ldmatrix.x4
  girih swizzle '(128,64):(64,1)' --type f16 --access ldmatrix.x4 --access 'st.128@thr (16,8):(8,1) val (1,8)'
  girih swizzle '(32,32):(32,1)' --type f32 --access st@rows --access ld@cols
  girih swizzle '(128,64):(64,1)' --type f16 --access 'ld.128@((8,4),(8,8,4)):((1,8),(128,1024,32))' --access 'st.128@((8,4),(8,8,2,2)):((8,1),(128,1024,4,64))'
  girih swizzle --from '(8,64):(64,1)' --to 'Sw<3,3,3> o 0 o (8,64):(64,1)'
  girih swizzle --recognise '0,1,2,3,5,4,7,6'
  girih swizzle --recognise 'addr ^ ((addr & 0x380) >> 3)' --type f16
  girih swizzle --recognise 'Sw<3,0,3> o Sw<1,2,3>'
  girih swizzle --type f16 --between 'linear{register=[[1],[2]], lane=[[4],[8]], out=[dim0:16]}' 'linear{register=[[4],[8]], lane=[[1],[2]], out=[dim0:16]}'`,
		Args: func(c *cobra.Command, args []string) error {
			switch {
			case c.Flags().Changed("between"):
				if len(args) != 1 {
					return &usageError{msg: fmt.Sprintf("--between takes two register layouts, found %d", 1+len(args)), hint: seeHelp(c)}
				}
				f.between.To = args[0]
				return nil
			case len(args) > 0 && c.Flags().Changed("layout"):
				return &usageError{msg: "the layout is given twice, by --layout and as " + args[0], hint: seeHelp(c)}
			case len(args) == 1:
				f.layout = args[0]
				return nil
			case len(args) > 1:
				return f.complete("swizzle", args)
			}
			return nil
		},
		RunE: func(c *cobra.Command, _ []string) error {
			form, err := f.form(c)
			if err != nil {
				return err
			}
			slow := time.AfterFunc(time.Second, func() {
				fmt.Fprintln(c.ErrOrStderr(), "girih: searching ...")
			})
			defer slow.Stop()
			return form(c, slow)
		},
	}
	f.add(c)
	c.Flags().StringVar(&f.layout, "layout", "", "the tile to find a swizzle for: an `EXPR`")
	c.Flags().StringVar(&f.from, "from", "", "the layout before the swizzle: an `EXPR`")
	c.Flags().StringVar(&f.to, "to", "", "the layout after it: an `EXPR`")
	c.Flags().StringVar(&f.what, "recognise", "", "the `TEXT` to recognise")
	c.Flags().StringVar(&f.what, "recognize", "", "the same as --recognise: a `TEXT`")
	c.Flags().StringVar(&f.between.From, "between", "", "the register layout `R1`, with R2 behind")
	integersFlag(c, &f.between.Shape, "shape", "the `SHAPE` of the tensor, for encodings, such as 128,64")
	c.Flags().IntVar(&f.between.Banks, "banks", 32, "the `NUMBER` of banks, for --between")
	return c
}

// form returns what the flags ask for.
func (f *swizzleFlags) form(c *cobra.Command) (func(*cobra.Command, *time.Timer) error, error) {
	set := func(names ...string) bool {
		for _, n := range names {
			if c.Flags().Changed(n) {
				return true
			}
		}
		return false
	}
	refuse := func(format string, args ...any) error {
		return &usageError{msg: fmt.Sprintf(format, args...), hint: seeHelp(c)}
	}
	solve, find, recognise, between := set("layout") || f.layout != "", set("from", "to"), set("recognise", "recognize"), set("between")
	switch n := btoi(solve) + btoi(find) + btoi(recognise) + btoi(between); {
	case n == 0 && set("type", "access", "threads", "target"):
		return nil, f.complete("swizzle", nil)
	case n == 0:
		return nil, refuse("swizzle needs a layout, or --from and --to, or --recognise, or --between")
	case n > 1:
		return nil, refuse("swizzle takes one of a layout, --from with --to, --recognise and --between")
	case !between && set("shape", "banks"):
		return nil, refuse("--shape and --banks go with --between")
	case find && !(set("from") && set("to")):
		return nil, refuse("swizzle needs both --from and --to")
	case !solve && set("access", "threads", "target"):
		return nil, refuse("--access, --threads and --target go with a layout")
	case set("recognise") && set("recognize"):
		return nil, refuse("--recognise and --recognize are one flag, given twice")
	case solve:
		return f.solve, f.complete("swizzle", []string{f.layout})
	case find:
		return f.find, nil
	case between && f.typ == "":
		return nil, refuse("--between needs the type of an element, as in --type f16")
	case between:
		return f.sharedBetween, nil
	}
	return f.recognise, nil
}

func btoi(b bool) int {
	if b {
		return 1
	}
	return 0
}

func (f *swizzleFlags) solve(c *cobra.Command, slow *time.Timer) error {
	var s service.Session
	r := s.SolveSwizzle(service.SwizzleRequest{Layout: f.layout, Type: f.typ, Accesses: f.accesses, Threads: f.threads, Target: f.target})
	slow.Stop()
	if err := (reply{response: r, ok: r.OK, text: r.Text, notes: r.Notes, fault: r.Fault, err: r.Error, width: textWidth}).print(c, f.asJSON); err != nil {
		return err
	}
	if !r.Found() {
		return exit(statusFailed)
	}
	return nil
}

func (f *swizzleFlags) find(c *cobra.Command, slow *time.Timer) error {
	var s service.Session
	r := s.FindSwizzle(service.FindSwizzleRequest{From: f.from, To: f.to, Type: f.typ})
	slow.Stop()
	return reply{response: r, ok: r.OK, text: r.Text, fault: r.Fault, err: r.Error, width: textWidth}.print(c, f.asJSON)
}

func (f *swizzleFlags) sharedBetween(c *cobra.Command, slow *time.Timer) error {
	var s service.Session
	f.between.Type = f.typ
	r := s.BetweenSwizzle(f.between)
	slow.Stop()
	return reply{response: r, ok: r.OK, text: r.Text, notes: r.Notes, fault: r.Fault, err: r.Error, width: textWidth}.print(c, f.asJSON)
}

func (f *swizzleFlags) recognise(c *cobra.Command, slow *time.Timer) error {
	var s service.Session
	if f.what == "-" {
		slow.Stop() // the input may take its time
		text, err := io.ReadAll(io.LimitReader(c.InOrStdin(), service.MaxExpr+1))
		if err != nil {
			return &usageError{msg: "cannot read the standard input: " + err.Error()}
		}
		f.what = string(text)
	}
	r := s.RecognizeSwizzle(service.RecognizeSwizzleRequest{Text: f.what, Type: f.typ})
	slow.Stop()
	return reply{response: r, ok: r.OK, text: r.Text, notes: r.Notes, fault: r.Fault, err: r.Error, width: textWidth}.print(c, f.asJSON)
}
