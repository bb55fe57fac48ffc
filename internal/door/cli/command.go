package cli

import (
	"fmt"
	"io"
	"reflect"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"girih/internal/lang/report"
	"girih/internal/service"
)

// A command is an operation of the service on the command line, made out of its row.
type command struct {
	*cobra.Command
	op      service.Operation
	session service.Session
	request any // a pointer to the request of the operation, which the flags fill
	asJSON  bool
}

// more lists, by operation name, what commands do in addition to asking and printing the answer.
var more = map[string]func(*command){
	"atom": atomCommand, "bank": bankCommand, "check": checkCommand, "compat": compatCommand, "copies": copiesCommand,
	"copy": copyCommand, "descriptor": descriptorCommand, "draw": drawCommand,
	"eval": evalCommand, "explain": explainCommand, "follow": followCommand, "gemm": gemmCommand,
	"kernel": kernelCommand, "lint": lintCommand,
	"litmus": litmusCommand, "read": readCommand, "run": runCommand,
	"show": showCommand, "sim": simCommand, "swizzle": swizzleCommand, "why": whyCommand,
}

// addOperations adds the commands of all operations.
func addOperations(root *cobra.Command) {
	parents := map[string]*cobra.Command{"": root}
	for _, op := range service.Operations() {
		if op.Command == nil {
			continue
		}
		c := newCommand(op)
		if add := more[op.Name]; add != nil {
			add(c)
		}
		parents[c.Name()] = c.Command
		parents[op.Command.Parent].AddCommand(c.Command)
	}
}

// newCommand returns the command of an operation, which asks and prints the answer.
func newCommand(op service.Operation) *command {
	c := &command{op: op, request: op.Request()}
	about := op.Command
	c.Command = &cobra.Command{
		Use: about.Use, Short: op.Doc, Long: about.Long, Example: about.Example, SuggestFor: about.Meant,
	}
	c.Args = c.checkArgs
	c.session.Alone()
	c.RunE = func(*cobra.Command, []string) error { return c.print(c.ask()) }
	for _, f := range about.Flags {
		c.addFlag(f)
	}
	jsonFlag(c.Command, &c.asJSON)
	return c
}

// argument returns a field of the request by name, and the place of its value.
func (c *command) argument(name string) (service.Argument, reflect.Value) {
	all := c.op.Arguments(service.Terminal)
	a := all[slices.IndexFunc(all, func(a service.Argument) bool { return a.Name == name })] // a test makes all commands
	return a, reflect.ValueOf(c.request).Elem().FieldByIndex(a.Index)
}

// addFlag adds a flag for a field of the request.
func (c *command) addFlag(f service.Flag) {
	a, field := c.argument(f.Field)
	if f.Name == "" {
		f.Name = f.Field
	}
	flags := c.Flags()
	switch to := field.Addr().Interface().(type) {
	case *string:
		flags.StringVarP(to, f.Name, f.Short, "", f.Usage)
	case *[]string:
		flags.StringArrayVarP(to, f.Name, f.Short, nil, f.Usage)
	case *[]int64:
		flags.VarP((*integers)(to), f.Name, f.Short, f.Usage)
	case *bool:
		flags.BoolVarP(to, f.Name, f.Short, false, f.Usage)
	case *int:
		flags.IntVarP(to, f.Name, f.Short, 0, f.Usage)
	case *int64:
		flags.Int64VarP(to, f.Name, f.Short, 0, f.Usage)
	case **int64:
		*to = new(int64)
		flags.Int64VarP(*to, f.Name, f.Short, 0, f.Usage)
	case *uint64:
		flags.Uint64VarP(to, f.Name, f.Short, 0, f.Usage)
	case *float64:
		flags.Float64VarP(to, f.Name, f.Short, 0, f.Usage)
	default:
		panic("no flag is a " + field.Type().String()) // a test makes all commands, so this cannot happen
	}
	if f.Default != "" {
		flag := flags.Lookup(f.Name)
		_ = flag.Value.Set(f.Default) // the default always has the type of the field
		flag.DefValue = f.Default
	}
	if slices.ContainsFunc(a.Words, func(w service.Word) bool { return w.Title != "" }) {
		completeWords(c.Command, f.Name, a.Words)
	}
}

// completeWords lets shells complete a flag with words.
func completeWords(c *cobra.Command, flag string, words []service.Word) {
	var lines []string
	for _, w := range words {
		lines = append(lines, w.Name+"\t"+w.Title)
	}
	// The only error is that there is no such flag.
	_ = c.RegisterFlagCompletionFunc(flag, func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
		return lines, cobra.ShellCompDirectiveNoFileComp
	})
}

// checkArgs stores the arguments in the request. It refuses a wrong number of them, and required flags without a value.
func (c *command) checkArgs(_ *cobra.Command, args []string) error {
	about := c.op.Command
	if len(about.Args) == 0 {
		return noArgs(c.Command, args)
	}
	if len(args) > len(about.Args) || len(args) < len(about.Args)-about.Spare {
		return c.refuse("%s", strings.ReplaceAll(about.Wrong, "%d", fmt.Sprint(len(args))))
	}
	c.take(args)
	for _, f := range about.Flags {
		_, field := c.argument(f.Field)
		if empty(field) && f.Missing != "" {
			return c.refuse("%s", f.Missing)
		}
	}
	return nil
}

// empty reports whether a field has no value, or only blanks.
func empty(field reflect.Value) bool {
	return field.IsZero() || field.Kind() == reflect.String && strings.TrimSpace(field.String()) == ""
}

// take sets the fields that are arguments.
func (c *command) take(args []string) {
	for i, name := range c.op.Command.Args[:len(args)] {
		_, field := c.argument(name)
		field.SetString(args[i])
	}
}

// refuse is the error of wrong usage.
func (c *command) refuse(format string, args ...any) error {
	return &usageError{msg: fmt.Sprintf(format, args...), hint: seeHelp(c.Command)}
}

// ask carries out the request.
func (c *command) ask() service.Answer {
	c.session.Alone() // requests run one at a time, so each, such as a launch of a recording, may use all of the memory
	return c.op.Ask(&c.session, c.request, service.Terminal)
}

// print writes an answer as JSON, or as text followed by its notes, or its error. It returns the exit status:
// success, wrong usage or failure.
func (c *command) print(a service.Answer) error {
	read := a.OK || a.Shown != service.ErrorAlone // whether the text was read
	switch {
	case a.Usage && !read:
		return wrongUsage(c.Command, a.Error)
	case c.asJSON:
		if err := writeJSON(c.Command, a.Response); err != nil {
			return err
		}
	case read:
		if err := write(c.Command, a.Text()); err != nil {
			return err
		}
		printNotes(c.ErrOrStderr(), a.Notes)
	}
	if !a.OK && !c.asJSON {
		io.WriteString(c.ErrOrStderr(), a.Error.Report(a.In, c.op.Command.Width))
	}
	if !a.OK || a.Failed {
		return exit(statusFailed)
	}
	return nil
}

// wrongUsage returns an error of the service as wrong usage of the command line, without the name of the operation.
func wrongUsage(c *cobra.Command, e *report.Error) error {
	msg := e.Message
	for _, op := range []string{"bank", c.Name()} {
		msg = strings.TrimPrefix(msg, op+": ")
	}
	return &usageError{msg: msg, hint: strings.TrimLeft(e.Hint+"\n"+seeHelp(c), "\n")}
}
