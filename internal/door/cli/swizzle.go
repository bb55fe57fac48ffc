package cli

import (
	"fmt"
	"io"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"girih/internal/service"
)

// A swizzleForm holds what the command can do in addition to the search for a swizzle.
type swizzleForm struct {
	c       *command
	search  *service.SwizzleRequest // the request that the flags of the operation fill
	find    service.FindSwizzleRequest
	what    string // the text to recognise
	between service.ConvertRequest
}

// swizzleCommand also finds the swizzle between layouts, recognises swizzles, and converts between register
// layouts.
func swizzleCommand(c *command) {
	f := &swizzleForm{c: c, search: c.request.(*service.SwizzleRequest)}
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
	case f.c.Flags().Changed("between"):
		if len(args) != 1 {
			return f.c.refuse("--between takes two register layouts, found %d", 1+len(args))
		}
		f.between.To = args[0]
	case len(args) > 0 && f.c.Flags().Changed("layout"):
		return f.c.refuse("the layout is given twice, by --layout and as %s", args[0])
	case len(args) == 1:
		f.c.take(args)
	case len(args) > 1:
		return f.missing(args...)
	}
	return nil
}

// missing lists what a search for a swizzle lacks.
func (f *swizzleForm) missing(exprs ...string) error {
	return f.c.complete(exprs, f.search.Type, f.search.Accesses)
}

// swizzleAsks are the questions that the flags ask.
type swizzleAsks struct{ solve, find, recognise, between bool }

// set reports whether one of the flags is given.
func (f *swizzleForm) set(names ...string) bool {
	return slices.ContainsFunc(names, f.c.Flags().Changed)
}

// refusal says which flags exclude each other, "" if none do.
func (f *swizzleForm) refusal(a swizzleAsks) string {
	n := 0
	for _, asked := range []bool{a.solve, a.find, a.recognise, a.between} {
		if asked {
			n++
		}
	}
	for _, x := range []struct {
		wrong bool
		says  string
	}{
		{n == 0, "swizzle needs a layout, or --from and --to, or --recognise, or --between"},
		{n > 1, "swizzle takes one of a layout, --from with --to, --recognise and --between"},
		{
			!a.between && (f.set("banks") || f.set("shape") && !a.recognise),
			"--shape goes with --between or --recognise, --banks with --between",
		},
		{a.find && !(f.set("from") && f.set("to")), "swizzle needs both --from and --to"},
		{!a.solve && f.set("access", "threads", "target"), "--access, --threads and --target go with a layout"},
		{f.set("recognise") && f.set("recognize"), "--recognise and --recognize are one flag, given twice"},
	} {
		if x.wrong {
			return x.says
		}
	}
	return ""
}

// form returns what the flags ask for.
func (f *swizzleForm) form() (func() service.Answer, error) {
	a := swizzleAsks{
		solve: f.set("layout") || f.search.Layout != "", find: f.set("from", "to"),
		recognise: f.set("recognise", "recognize"), between: f.set("between"),
	}
	if a == (swizzleAsks{}) && f.set("type", "access", "threads", "target") {
		return nil, f.missing()
	}
	if says := f.refusal(a); says != "" {
		return nil, f.c.refuse("%s", says)
	}
	switch {
	case a.solve:
		return f.c.ask, f.missing(f.search.Layout)
	case a.find:
		return f.findSwizzle, nil
	case a.between && f.search.Type == "":
		return nil, f.c.refuse("--between needs the type of an element, as in --type f16")
	case a.between:
		return f.sharedBetween, nil
	case f.what == "-":
		text, err := io.ReadAll(io.LimitReader(f.c.InOrStdin(), service.MaxExpr+1))
		if err != nil {
			return nil, &usageError{msg: "cannot read the standard input: " + err.Error()}
		}
		f.what = string(text)
	}
	return f.recognise, nil
}

func (f *swizzleForm) findSwizzle() service.Answer {
	f.find.Type = f.search.Type
	r := f.c.session.FindSwizzle(f.find)
	return service.Answer{Fault: r.Fault, Response: r, OK: r.OK, Text: r.Text, Error: r.Error}
}

func (f *swizzleForm) sharedBetween() service.Answer {
	f.between.Type = f.search.Type
	r := f.c.session.BetweenSwizzle(f.between)
	return service.Answer{Fault: r.Fault, Response: r, OK: r.OK, Text: r.Text, Notes: r.Notes, Error: r.Error}
}

func (f *swizzleForm) recognise() service.Answer {
	r := f.c.session.RecognizeSwizzle(service.RecognizeSwizzleRequest{
		Text: f.what, Type: f.search.Type, Shape: f.between.Shape,
	})
	return service.Answer{Fault: r.Fault, Response: r, OK: r.OK, Text: r.Text, Notes: r.Notes, Error: r.Error}
}
