import com.cloudhopper.smpp.*;
import com.cloudhopper.smpp.impl.*;
import com.cloudhopper.smpp.pdu.*;
import com.cloudhopper.smpp.tlv.Tlv;
import com.cloudhopper.smpp.type.Address;
import com.cloudhopper.smpp.util.DeliveryReceipt;
import org.joda.time.DateTimeZone;

/** A customer of Cloudhopper (see smpp-customers.test.ts). */
public final class CloudhopperEsme extends Esme {
    private final DefaultSmppClient client = new DefaultSmppClient();

    /** A session whose channel was closed goes on saying that it is bound. */
    private static final class Handler extends DefaultSmppSessionHandler {
        volatile boolean isClosed = false;

        @Override
        public void fireChannelUnexpectedlyClosed() { isClosed = true; }

        @Override
        public PduResponse firePduRequestReceived(PduRequest request) {
            if (request instanceof DeliverSm deliver) take(deliver);
            return request.createResponse();
        }
    }

    private CloudhopperEsme(String[] args) { super(args); }

    public static void main(String[] args) throws Exception { new CloudhopperEsme(args).run(); }

    private static void take(DeliverSm deliver) {
        try {
            if ((deliver.getEsmClass() & SmppConstants.ESM_CLASS_MT_SMSC_DELIVERY_RECEIPT) != 0) {
                String text = new String(deliver.getShortMessage(), "ISO-8859-1");
                DeliveryReceipt receipt = DeliveryReceipt.parseShortMessage(text, DateTimeZone.UTC);
                Told.line("receipt", "id", receipt.getMessageId(), "state", DeliveryReceipt.toStateText(receipt.getState()));
            } else {
                Told.line("text", "source", deliver.getSourceAddress().getAddress(), "octets", Told.hex(deliver.getShortMessage()));
            }
        } catch (Exception failure) {
            Told.line("failed", "words", String.valueOf(failure));
        }
    }

    @Override
    protected Link bind(Mode mode) throws Exception {
        SmppBindType type = mode == Mode.RECEIVER ? SmppBindType.RECEIVER : mode == Mode.TRANSMITTER ? SmppBindType.TRANSMITTER : SmppBindType.TRANSCEIVER;
        SmppSessionConfiguration config = new SmppSessionConfiguration(type, systemId, password);
        config.setHost("127.0.0.1");
        config.setPort(port);
        config.setWindowSize(10);
        Handler handler = new Handler();
        SmppSession session = client.bind(config, handler);
        return new Link() {
            @Override
            public boolean isUp() { return !handler.isClosed && session.isBound(); }
            @Override
            public String submit(String key, byte[] octets, int esmClass) throws Exception {
                SubmitSm submit = new SubmitSm();
                submit.setSourceAddress(new Address((byte) 2, (byte) 1, "30001234"));
                submit.setDestAddress(new Address((byte) 1, (byte) 1, "989121234500"));
                submit.setRegisteredDelivery((byte) 1);
                submit.setEsmClass((byte) esmClass);
                submit.setDataCoding((byte) 8);
                submit.setShortMessage(octets);
                submit.addOptionalParameter(new Tlv((short) 0x1500, key.getBytes("ISO-8859-1")));
                SubmitSmResp answer = session.submit(submit, 5_000);
                if (answer.getCommandStatus() != 0) throw new IllegalStateException("refused: " + answer.getCommandStatus());
                return answer.getMessageId();
            }
            @Override
            public void unbind() { session.unbind(2_000); session.destroy(); }
        };
    }
}
