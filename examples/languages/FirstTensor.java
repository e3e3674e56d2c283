import com.google.gson.Gson;
import gguf.Gguf;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HexFormat;

class FirstTensor {
    record Type(long id, String name, long num_elements, long size) {}

    public static void main(String[] args) throws Exception {
        var types = new Gson().fromJson(Files.readString(Path.of(args[1])), Type[].class);
        var gguf = Gguf.fromFile(args[0]);
        if (gguf.body().tensors().isEmpty()) {
            System.out.println("no tensors");
            return;
        }
        var tensor = gguf.body().tensors().get(0);
        var type = Arrays.stream(types).filter(each -> each.id == tensor.typeId()).findFirst().orElseThrow();
        var shape = new ArrayList<>(tensor.dims().stream().map(Gguf.Dim::value).toList());
        Collections.reverse(shape);
        long elements = shape.stream().reduce(1L, Math::multiplyExact);
        gguf._io().seek(gguf.body().ofsTensorData() + tensor.ofsData());
        byte[] data = gguf._io().readBytes(elements / type.num_elements * type.size);
        System.out.println(tensor.name().value() + " " + type.name + " " + shape + " " + data.length + " "
                + HexFormat.of().formatHex(data, 0, Math.min(8, data.length)));
    }
}
