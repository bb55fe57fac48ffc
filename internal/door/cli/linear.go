package cli

import (
	"github.com/spf13/cobra"

	"girih/internal/service"
)

func linearCommand() *cobra.Command {
	var asJSON bool
	req := service.LinearRequest{}
	c := &cobra.Command{
		Use:   "linear EXPR",
		Short: "Print a layout as a map over bits: bases, matrix, rank",
		Long: `Print a layout as a linear layout, a map over bits: the basis vectors of each
input dimension as Triton prints them, the matrix over F2 with the least
significant bits first, its rank, and the CuTe layout that it is. EXPR is a
linear layout, a layout, a swizzle, a composed layout, a layout with F2
strides, a matrix, or an encoding of Triton with the --shape of the tensor.`,
		Example: `  girih linear 'Sw<2,0,3> o 0 o (8,8):(8,1)'
  girih linear 'linear(((4,8),(2,2)):((32,1),(16,8)), (lane,register))'
  girih linear --shape 16,16 'blocked{sizePerThread=[2,2], threadsPerWarp=[8,4], warpsPerCTA=[1,1], order=[1,0]}'
  girih linear --shape 4,2 --view tensor 'blocked{sizePerThread=[1,2], threadsPerWarp=[4,1], warpsPerCTA=[1,1], order=[1,0]}'`,
		Args: func(c *cobra.Command, args []string) error {
			if len(args) != 1 {
				return &usageError{msg: "linear needs one expression", hint: seeHelp(c)}
			}
			return nil
		},
		RunE: func(c *cobra.Command, args []string) error {
			var s service.Session
			req.Expr = args[0]
			r := s.Linear(req)
			text := func() string { return service.LinearText(r) }
			return reply{response: r, ok: r.OK, text: text, notes: r.Notes, fault: service.Fault{In: args[0]}, err: r.Error}.print(c, asJSON)
		},
	}
	integersFlag(c, &req.Shape, "shape", "the `SHAPE` of the tensor of an encoding, such as 128,64")
	c.Flags().StringVar(&req.View, "view", "", "print a `VIEW` of all places instead: tensor or hardware")
	jsonFlag(c, &asJSON)
	return c
}
