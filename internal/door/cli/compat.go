package cli

import (
	"fmt"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"girih/internal/service"
)

// vectorsOfAlgebra is the file that girih compat --report reads unless another one is named. It is too large to be part
// of the command.
const vectorsOfAlgebra = "conformance/algebra.jsonl"

func compatCommand() *cobra.Command {
	var asJSON, report bool
	c := &cobra.Command{
		Use:   "compat EXPR | --report [FILE]",
		Short: "Show what CuTe C++, the CuTe DSL and pycute answer, and whether that is right",
		Long: `Show what other implementations of the algebra answer to an operation, beside
girih: CuTe C++ with integers of compile time (static) and of run time (dynamic),
the CuTe DSL, and NVIDIA's pycute. Each answer is held against the definition of
the operation, value by value:

  right    it satisfies the definition at every index
  padded   a divide with more elements than the layout, all of the layout's among them
  refused  no answer: a static_assert, an exception, an error value
  wrong    with the first index at which it is wrong, and both values there
  absent   the tool does not have the operation
  unknown  not modelled, or not judged; of large layouts the first 262144 values are
           looked at

The answers come from models of their algorithms, which are tested against what
the originals printed. Modelled are

` + indent(service.Wrap(strings.Join(append([]string{"A o B"}, service.CompatOps()...), ", "), 76, "", "")) + `
"CuTe C++, dynamic" knows none of the integers when it compiles, apart from those
that are written with an underscore: (_4,3):(_1,100).

With --report, count how often each tool is wrong, refuses what has an answer, and
pads, over the operations in a file, by default
` + vectorsOfAlgebra + `.`,
		Example: `  girih compat '(4,3):(1,100) o 4:3'
  girih compat 'complement((2,2):(2,3), 24)'
  girih compat 'logical_divide((6,4):(4,1), 4:1)'
  girih compat 'coalesce((_2,_4,6):(_1,_2,_8))'
  girih compat --report`,
		Args: func(c *cobra.Command, args []string) error {
			switch {
			case report && len(args) > 1:
				return &usageError{msg: "compat --report reads one file", hint: seeHelp(c)}
			case !report && len(args) != 1:
				return &usageError{msg: "compat needs one expression, or --report", hint: seeHelp(c)}
			}
			return nil
		},
		RunE: func(c *cobra.Command, args []string) error {
			if report {
				return compatReport(c, append(args, vectorsOfAlgebra)[0], asJSON)
			}
			var s service.Session
			r := s.Compat(service.CompatRequest{Expr: args[0]})
			return reply{response: r, ok: r.OK, text: r.Text, fault: service.Fault{In: args[0]}, err: r.Error}.print(c, asJSON)
		},
	}
	c.Flags().BoolVar(&report, "report", false, "count over the operations in a file")
	jsonFlag(c, &asJSON)
	return c
}

// compatReport prints the report on a file.
func compatReport(c *cobra.Command, name string, asJSON bool) error {
	f, err := os.Open(name)
	if err != nil {
		return &usageError{msg: err.Error(), hint: fmt.Sprintf("A report needs a file of operations, such as %s in girih's repository: girih compat --report FILE", vectorsOfAlgebra)}
	}
	defer f.Close()
	r, err := service.CompatCount(name, f)
	switch {
	case err != nil:
		return err
	case asJSON:
		return writeJSON(c, r)
	}
	return write(c, service.CompatReportText(r))
}
