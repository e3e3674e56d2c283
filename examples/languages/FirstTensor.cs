using System;
using System.IO;
using System.Linq;
using System.Text.RegularExpressions;
using Kaitai;

static class FirstTensor
{
    static void Main(string[] args)
    {
        var gguf = Gguf.FromFile(args[0]);
        if (gguf.Body.Tensors.Count == 0)
        {
            Console.WriteLine("no tensors");
            return;
        }
        var tensor = gguf.Body.Tensors[0];
        var pattern = "\"id\": " + tensor.TypeId + ", \"name\": \"(.*)\", \"num_elements\": (.*), \"size\": (.*)}";
        var type = Regex.Match(File.ReadAllText(args[1]), pattern).Groups;
        var dims = tensor.Dims.Select(dim => (long)dim.Value).ToArray();
        gguf.M_Io.Seek(gguf.Body.OfsTensorData + (long)tensor.OfsData);
        var elements = dims.Aggregate(1L, (product, dim) => checked(product * dim));
        var data = gguf.M_Io.ReadBytes(elements / long.Parse(type[2].Value) * long.Parse(type[3].Value));
        var hex = BitConverter.ToString(data.Take(8).ToArray()).Replace("-", "").ToLower();
        var shape = string.Join(", ", dims.Reverse());
        Console.WriteLine("{0} {1} [{2}] {3} {4}", tensor.Name.Value, type[1].Value, shape, data.Length, hex);
    }
}
