use strict;
use warnings;
use JSON::PP;
use List::Util qw(first product);
use Gguf;

my ($path, $types) = @ARGV;
my $gguf = Gguf->from_file($path);
my $tensor = $gguf->body->tensors->[0];
if (!$tensor) {
    print "no tensors\n";
    exit;
}
open my $file, "<", $types or die "$types: $!";
my $type = first { $_->{id} == $tensor->type_id } @{decode_json(join "", <$file>)};
my @dims = map { $_->value } @{$tensor->dims};
$gguf->{_io}->seek($gguf->body->ofs_tensor_data + $tensor->ofs_data);
my $data = $gguf->{_io}->read_bytes(product(1, @dims) / $type->{num_elements} * $type->{size});
my $shape = join ", ", reverse @dims;
printf "%s %s [%s] %d %s\n", $tensor->name->value, $type->{name}, $shape, length $data, unpack "H16", $data;
