package cli

import (
	"fmt"
	"io"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"girih/internal/service"
)

// A swizzleForm is what the command is asked besides the search for a swizzle.
type swizzleForm struct {
	*command
	search  *service.SwizzleRequest // what the flags of the row fill
	find    service.FindSwizzleRequest
	what    string // to recognise
	between service.ConvertRequest
}

// swizzleCommand also finds the swizzle between layouts, recognises one, and goes between register layouts.
func swizzleCommand(c *command) {
	f := &swizzleForm{command: c, search: c.request.(*service.SwizzleRequest)}
	c.Args = f.check
	c.RunE = func(*cobra.Command, []string) error {
		answer, err := f.form()
		if err != nil {
			return err
		}
		slow := time.AfterFunc(time.Second, func() {
			fmt.Fprintln(c.ErrOrStderr(), "girih: searching ...")
		})
		a := answer()
		slow.Stop()
		return c.print(a)
	}
	c.Flags().StringVar(&f.find.From, "from", "", "the layout before the swizzle: an `EXPR`")
	c.Flags().StringVar(&f.find.To, "to", "", "the layout after it: an `EXPR`")
	c.Flags().StringVar(&f.what, "recognise", "", "the `TEXT` to recognise")
	c.Flags().StringVar(&f.what, "recognize", "", "the same as --recognise: a `TEXT`")
	c.Flags().StringVar(&f.between.From, "between", "", "the register layout `R1`, followed by R2")
	integersFlag(c.Command, &f.between.Shape, "shape",
		"the `SHAPE` of the tensor, for encodings, such as 128,64; with --recognise the extents of the variables")
	c.Flags().IntVar(&f.between.Banks, "banks", 32, "the `NUMBER` of banks, for --between")
}

// check takes the argument: the layout, or the second of two register layouts.
func (f *swizzleForm) check(_ *cobra.Command, args []string) error {
	switch {
	case f.Flags().Changed("between"):
		if len(args) != 1 {
			return f.refuse("--between takes two register layouts, found %d", 1+len(args))
		}
		f.between.To = args[0]
	case len(args) > 0 && f.Flags().Changed("layout"):
		return f.refuse("the layout is given twice, by --layout and as %s", args[0])
	case len(args) == 1:
		f.take(args)
	case len(args) > 1:
		return f.missing(args...)
	}
	return nil
}

// missing says what a search for a swizzle needs.
func (f *swizzleForm) missing(exprs ...string) error {
	return f.complete(exprs, f.search.Type, f.search.Accesses)
}

// form returns what the flags ask for.
func (f *swizzleForm) form() (func() service.Answer, error) {
	set := func(names ...string) bool { return slices.ContainsFunc(names, f.Flags().Changed) }
	solve, find := set("layout") || f.search.Layout != "", set("from", "to")
	recognise, between := set("recognise", "recognize"), set("between")
	n := 0
	for _, asked := range []bool{solve, find, recognise, between} {
		if asked {
			n++
		}
	}
	switch {
	case n == 0 && set("type", "access", "threads", "target"):
		return nil, f.missing()
	case n == 0:
		return nil, f.refuse("swizzle needs a layout, or --from and --to, or --recognise, or --between")
	case n > 1:
		return nil, f.refuse("swizzle takes one of a layout, --from with --to, --recognise and --between")
	case !between && (set("banks") || set("shape") && !recognise):
		return nil, f.refuse("--shape goes with --between or --recognise, --banks with --between")
	case find && !(set("from") && set("to")):
		return nil, f.refuse("swizzle needs both --from and --to")
	case !solve && set("access", "threads", "target"):
		return nil, f.refuse("--access, --threads and --target go with a layout")
	case set("recognise") && set("recognize"):
		return nil, f.refuse("--recognise and --recognize are one flag, given twice")
	case solve:
		return f.ask, f.missing(f.search.Layout)
	case find:
		return f.findSwizzle, nil
	case between && f.search.Type == "":
		return nil, f.refuse("--between needs the type of an element, as in --type f16")
	case between:
		return f.sharedBetween, nil
	case f.what == "-":
		text, err := io.ReadAll(io.LimitReader(f.InOrStdin(), service.MaxExpr+1))
		if err != nil {
			return nil, &usageError{msg: "cannot read the standard input: " + err.Error()}
		}
		f.what = string(text)
	}
	return f.recognise, nil
}

func (f *swizzleForm) findSwizzle() service.Answer {
	f.find.Type = f.search.Type
	r := f.session.FindSwizzle(f.find)
	return service.Answer{Fault: r.Fault, Response: r, OK: r.OK, Text: r.Text, Error: r.Error}
}

func (f *swizzleForm) sharedBetween() service.Answer {
	f.between.Type = f.search.Type
	r := f.session.BetweenSwizzle(f.between)
	return service.Answer{Fault: r.Fault, Response: r, OK: r.OK, Text: r.Text, Notes: r.Notes, Error: r.Error}
}

func (f *swizzleForm) recognise() service.Answer {
	r := f.session.RecognizeSwizzle(service.RecognizeSwizzleRequest{
		Text: f.what, Type: f.search.Type, Shape: f.between.Shape,
	})
	return service.Answer{Fault: r.Fault, Response: r, OK: r.OK, Text: r.Text, Notes: r.Notes, Error: r.Error}
}
